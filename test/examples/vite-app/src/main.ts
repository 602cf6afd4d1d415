import { show } from './posts.ts'

async function main(): Promise<void> {
  if (import.meta.env.DEV && import.meta.env.MODE !== 'server') {
    const { start } = await import('./mock.ts')
    await start()
  }
  await show()
  // Shows at once what is edited in the fixtures.
  import.meta.hot?.on('fixtura:change', () => void show())
}

void main()
