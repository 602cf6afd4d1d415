import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { JsonBox } from './code-mirror.ts'

/** An editor for JSON. Its code, which is large, is loaded when the first editor opens. */
export function JsonEditor(props: JsonEditorProps): VNode {
  const host = useRef<HTMLDivElement>(null)
  const box = useRef<JsonBox | undefined>(undefined)
  const latest = useRef(props)
  const typed = useRef<string[]>([])
  latest.current = props
  useEffect(() => {
    let isClosed = false
    const load = async (): Promise<void> => {
      const { createJsonBox } = await import('./code-mirror.ts')
      if (isClosed || !host.current) return
      box.current = createJsonBox(host.current, {
        label: props.label,
        text: latest.current.text,
        onInput(text) {
          typed.current.push(text)
          latest.current.onInput(text)
        },
        onSave: () => latest.current.onSave(),
      })
    }
    void load()
    return () => {
      isClosed = true
      box.current?.destroy()
    }
  }, [])
  useEffect(() => {
    // A text that comes back after more was typed would undo what was typed.
    const echo = typed.current.lastIndexOf(props.text)
    typed.current.splice(0, echo + 1)
    if (echo === -1) box.current?.setText(props.text)
  }, [props.text])
  // After Escape, Tab leaves the editor; Escape elsewhere closes the record.
  const keepOpen = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') event.stopPropagation()
  }
  return <div ref={host} class="json-editor" onKeyDown={keepOpen} />
}

interface JsonEditorProps {
  label: string
  text: string
  onInput(text: string): void
  /** Is called by Ctrl+S, or by Cmd+S. */
  onSave(): void
}
