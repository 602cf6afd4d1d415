import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { JsonBox } from './code-mirror.ts'
import { tryJson } from './try-json.ts'

/**
 * Shows a text to read: JSON in colours, wrapped and foldable. Its code is loaded when the first one is shown; until
 * then, and for other texts, the text is plain.
 */
export function JsonText({ text, label }: { text: string; label: string }): VNode {
  const host = useRef<HTMLDivElement>(null)
  const box = useRef<JsonBox | undefined>(undefined)
  const latest = useRef(text)
  latest.current = text
  const [isShown, setShown] = useState(false)
  const isJson = /^\s*[[{]/.test(text) && text.length < maxLength
  useEffect(() => {
    if (!isJson) return undefined
    let isClosed = false
    const load = async (): Promise<void> => {
      const { createJsonBox } = await import('./code-mirror.ts')
      if (isClosed || !host.current) return
      box.current = createJsonBox(host.current, { label, text: latest.current })
      setShown(true)
    }
    void load()
    return () => {
      isClosed = true
      box.current?.destroy()
      box.current = undefined
      setShown(false)
    }
  }, [isJson])
  useEffect(() => box.current?.setText(text), [text])
  return (
    <div ref={host} key={isJson ? 'json' : 'plain'} class={isJson ? 'json-editor read' : ''}>
      {!isShown && (
        <pre class="json" tabIndex={0}>
          {text}
        </pre>
      )}
    </div>
  )
}

/** The length from which a text is plain, in characters. */
const maxLength = 2_000_000

/** Indents a text that is JSON. */
export function pretty(text: string): string {
  const value = tryJson(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
