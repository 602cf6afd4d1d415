/** Opens a page in the browser, or says where to find it. */
export async function openInBrowser(url: string, complain: (text: string) => void): Promise<void> {
  const fail = (): void => complain(`Failed to open a browser. Please open ${url} yourself.`)
  try {
    const { default: open } = await import('open')
    const browser = await open(url)
    browser.once('error', fail)
    browser.once('exit', (code) => {
      if (code) fail()
    })
  } catch {
    fail()
  }
}
