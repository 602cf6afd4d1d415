import { defineConfig } from 'fixtura'
import { sessions } from 'fixtura/behaviours'

export default defineConfig({ base: '/api', use: [sessions()] })
