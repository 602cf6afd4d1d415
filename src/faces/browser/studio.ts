import type { MockInternals } from '../../core/http/contract/internals.ts'
import { type Call, channelName, lockPrefix } from '../../studio/link/protocol.ts'

/**
 * Lets the studio in another tab of the origin find this page by a lock, and send requests over a
 * `BroadcastChannel`; the code that answers is loaded with the first.
 */
export function offerStudio(mock: MockInternals): StudioAccess {
  const name = `${lockPrefix}${Date.now()} ${crypto.randomUUID()}`
  const channel = new BroadcastChannel(channelName)
  let link: Promise<(call: Call) => Promise<void>> | undefined
  let release = (): void => {}
  const load = async (): Promise<(call: Call) => Promise<void>> => {
    const { createStudioLink } = await import('./studio-link.ts')
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel takes none
    return createStudioLink(mock, (reply) => channel.postMessage(reply))
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Call>) => {
    if (data.to === name) void (link ??= load()).then((answer) => answer(data))
  })
  const closed = new Promise<void>((resolve) => (release = resolve))
  void navigator.locks.request(name, () => closed)
  return {
    name,
    async open() {
      // A tab that opens later than the click would be blocked.
      const tab = window.open('', name)
      const { createStudioUrl } = await import('./studio-url.ts')
      tab?.location.replace(createStudioUrl())
    },
    end() {
      channel.close()
      release()
    },
  }
}

/** The result of {@link offerStudio}. */
export interface StudioAccess {
  /** The name of this page. */
  name: string
  /** Opens the studio in a new tab. */
  open(): Promise<void>
  /** Ends the connection. */
  end(): void
}
