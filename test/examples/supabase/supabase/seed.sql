INSERT INTO auth.users (id, email, encrypted_password)
VALUES ('a0000000-0000-4000-8000-000000000001', 'ada@example.org', crypt('secret', gen_salt('bf')));
INSERT INTO todos (id, title) VALUES (1, 'Write'), (2, 'Read');
