import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'

/** Shows the application in an element; returns a function that removes it. */
export function mount(element: Element) {
  const root = createRoot(element)
  root.render(<App />)
  return () => root.unmount()
}
