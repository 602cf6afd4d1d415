import { useEffect, useRef, useState } from 'preact/hooks'

/**
 * Returns the text of an input, and changes a value once the typing pauses for `delay` milliseconds. A value
 * that others change replaces the text. The value that the text itself has set does not, because more may have
 * been typed meanwhile.
 */
export function useDelayedText(
  value: string,
  delay: number,
  onChange: (text: string) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value)
  const known = useRef(value)
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    if (value !== known.current) setText(value)
    known.current = value
  }, [value])
  useEffect(() => {
    if (text === known.current) return undefined
    const timer = setTimeout(() => {
      known.current = text
      latest.current(text)
    }, delay)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}
