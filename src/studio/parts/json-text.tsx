import { tryJson } from '../../core/json/json.ts'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { JsonBox } from './code-mirror.ts'

/**
 * Shows a text: JSON in colours, wrapped and foldable; `onInput` makes it an editor. The code of the editor, which is
 * large, is loaded when the first one is shown; until then, and for other texts, a text to read is plain.
 */
export function JsonText(props: JsonTextProps): VNode {
  const { label, text, onInput } = props
  const host = useRef<HTMLDivElement>(null)
  const box = useRef<JsonBox | undefined>(undefined)
  const latest = useRef(props)
  const typed = useRef<string[]>([])
  latest.current = props
  const [isShown, setShown] = useState(false)
  const isJson = onInput !== undefined || (/^\s*[[{]/.test(text) && text.length < maxLength)
  useEffect(() => {
    if (!isJson) return undefined
    let isClosed = false
    const load = async (): Promise<void> => {
      const { createJsonBox } = await import('./code-mirror.ts')
      if (isClosed || !host.current) return
      const edit = (next: string): void => {
        typed.current.push(next)
        latest.current.onInput?.(next)
      }
      box.current = createJsonBox(host.current, {
        label,
        text: latest.current.text,
        ...(onInput && { onInput: edit }),
        onSave: () => latest.current.onSave?.(),
      })
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
  useEffect(() => {
    // A text that comes back after more was typed would undo what was typed.
    const echo = typed.current.lastIndexOf(text)
    typed.current.splice(0, echo + 1)
    if (echo === -1) box.current?.setText(text)
  }, [text])
  return (
    <div
      ref={host}
      key={isJson ? 'json' : 'plain'}
      class={isJson ? `json-editor ${onInput ? '' : 'read'}` : ''}
      // After Escape, Tab leaves the editor; Escape elsewhere closes the record.
      onKeyDown={(event) => onInput && event.key === 'Escape' && event.stopPropagation()}
    >
      {!isShown && !onInput && (
        <pre class="json" tabIndex={0}>
          {text}
        </pre>
      )}
    </div>
  )
}

interface JsonTextProps {
  label: string
  text: string
  onInput?(text: string): void
  /** Is called by Ctrl+S, or by Cmd+S. */
  onSave?(): void
}

/** The length from which a text to read is plain, in characters. */
const maxLength = 2_000_000

/** Indents a text that is JSON. */
export function pretty(text: string): string {
  const value = tryJson(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}
