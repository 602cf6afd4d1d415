import { redirect } from 'fixtura/ssr'

redirect({ 'https://api.example.com': process.env.MOCK_URL }, { production: true })

export default defineNitroPlugin(() => {})
