import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { linter } from '@codemirror/lint'
import { Annotation, EditorState } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/**
 * Creates an editor for JSON (CodeMirror) in an element, which is read-only without `onInput`. The shadow root makes CodeMirror add its styles as
 * constructed style sheets, which the Content Security Policy allows, and not as `style` elements.
 */
export function createJsonBox(host: HTMLElement, options: JsonBoxOptions): JsonBox {
  const { label, text, onInput, onSave } = options
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  root.replaceChildren()
  const save = (): boolean => {
    onSave?.()
    return true
  }
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        ...(onInput ? [history(), indentOnInput(), linter(jsonParseLinter())] : readOnly),
        bracketMatching(),
        json(),
        syntaxHighlighting(highlighting),
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          const isReplaced = update.transactions.some((one) => one.annotation(replaced))
          if (update.docChanged && !isReplaced) onInput?.(update.state.doc.toString())
        }),
        keymap.of([
          { key: 'Mod-s', run: save },
          ...defaultKeymap,
          ...historyKeymap,
          ...foldKeymap,
          // Escape, then Tab, leaves the editor.
          ...(onInput ? [indentWithTab] : []),
        ]),
      ],
    }),
  })
  return {
    setText(next) {
      const { doc } = view.state
      if (next === doc.toString()) return
      view.dispatch({
        changes: { from: 0, to: doc.length, insert: next },
        annotations: replaced.of(true),
      })
    },
    destroy: () => view.destroy(),
  }
}

/** An open editor for JSON. */
export interface JsonBox {
  /** Replaces the text, unless it is the same, without a call of `onInput`. */
  setText(text: string): void
  destroy(): void
}

/** The options of {@link createJsonBox}. */
export interface JsonBoxOptions {
  label: string
  text: string
  /** Is called with the text that a person has typed. */
  onInput?(text: string): void
  onSave?(): void
}

const readOnly = [EditorState.readOnly.of(true)]

/** Marks a change by `setText`. */
const replaced = Annotation.define<boolean>()

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
  { tag: tags.invalid, color: 'var(--bad)' },
])

const theme = EditorView.theme({
  '&': { fontSize: '12.5px', color: 'var(--text)', backgroundColor: 'var(--field)' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--soft)', color: 'var(--dim)', border: 'none' },
  '.cm-selectionBackground': { backgroundColor: 'var(--line)' },
})
