import { report } from '../app/notices.ts'

/**
 * Copies a text to the clipboard, and says so. A page that another machine serves without TLS, such as the studio on a
 * phone, has no clipboard API; an event copies the text instead.
 */
export async function copyText(text: string, message = 'Copied.'): Promise<void> {
  await (isSecureContext ? navigator.clipboard.writeText(text) : copyByEvent(text))
  report(message)
}

async function copyByEvent(text: string): Promise<void> {
  const fill = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', fill, { once: true })
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', fill)
  if (!isCopied) throw new Error('The browser does not let this page copy. Please use HTTPS.')
}
