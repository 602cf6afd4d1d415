import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The WebSocket URL of the browser. */
    browser: string
  }
}

/** Starts one Chromium for all tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--host-resolver-rules=MAP *.example 127.0.0.1',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Avoids a spare process for every context.
      '--renderer-process-limit=1',
      // Avoids a process for the popup of the address bar. Chromium only reads the last list, so it
      // repeats what Playwright disables.
      '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,AimEnabled,PreconnectToSearch,MediaRouter,OptimizationHints,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
    ],
  })
  project.provide('browser', server.wsEndpoint())
  return () => server.close()
}
