import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the tests reach the browser. */
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
      // No process in reserve for every context.
      '--renderer-process-limit=1',
      // Nor one for the popup of an address bar that no window has. The last list counts alone, so
      // that it says again what Playwright says of the network.
      '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,AimEnabled,PreconnectToSearch,MediaRouter,OptimizationHints,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
    ],
  })
  project.provide('browser', server.wsEndpoint())
  return () => server.close()
}
