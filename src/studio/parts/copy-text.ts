/**
 * Copies a text to the clipboard. A page that another machine serves without TLS, such as the studio on a
 * phone, has no clipboard API; an event copies the text instead.
 */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text)
  const fill = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', fill, { once: true })
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', fill)
  if (!isCopied) throw new Error('The browser does not let this page copy. Please use HTTPS.')
}
