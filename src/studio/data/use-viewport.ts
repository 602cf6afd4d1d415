import { useLayoutEffect, useState } from 'preact/hooks'

/** Returns the scroll position and the size of a scrolled element, which follow scrolling and resizing. */
export function useViewport(element: { readonly current: HTMLElement | null }): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, left: 0, height: 600, width: 900 })
  useLayoutEffect(() => {
    const node = element.current
    if (!node) return undefined
    const measure = (): void =>
      setViewport({
        top: node.scrollTop,
        left: node.scrollLeft,
        height: node.clientHeight,
        width: node.clientWidth,
      })
    measure()
    node.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    return () => {
      observer.disconnect()
      node.removeEventListener('scroll', measure)
    }
  }, [])
  return viewport
}

/** The scroll position and the size of an element, in pixels. */
export interface Viewport {
  top: number
  left: number
  height: number
  width: number
}
