/** Opens a page in the browser of the user (`--open`, key `o`); prints the URL if no browser can be opened. */
export async function openInBrowser(
  url: string,
  printError: (text: string) => void,
): Promise<void> {
  const fail = (): void => printError(`Failed to open a browser. Please open ${url} yourself.`)
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
