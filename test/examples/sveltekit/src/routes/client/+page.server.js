// The page requests the API itself, and in tests the mock.
export const load = () => ({ api: process.env.MOCK_URL ?? 'https://api.example.com' })
