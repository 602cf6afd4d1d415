INSERT INTO public.authors (id, name, joined_at) VALUES
  ('a0000000-0000-4000-8000-000000000001', 'Ada', '2026-01-01T00:00:00Z'),
  ('a0000000-0000-4000-8000-000000000002', 'Bob', '2026-01-02T00:00:00Z');
INSERT INTO public.posts (id, title, views, status, tags, author_id) VALUES
  (1, 'First', 10, 'published', '{news,web}', 'a0000000-0000-4000-8000-000000000001'),
  (2, 'Second', 20, 'draft', '{}', 'a0000000-0000-4000-8000-000000000002'),
  (3, 'Third', 30, 'published', '{web}', 'a0000000-0000-4000-8000-000000000001');
INSERT INTO storage.buckets (id, name, public) VALUES ('letters', 'letters', false);
