/** Resizes a column, of at least 48 pixels, while the pointer that has pressed its handle moves. */
export function dragWidth(
  event: PointerEvent,
  width: number,
  onResize: (width: number) => void,
): void {
  const handle = event.currentTarget as HTMLElement
  const start = event.clientX
  event.preventDefault()
  handle.setPointerCapture(event.pointerId)
  const end = new AbortController()
  const drag = ({ clientX }: PointerEvent): void =>
    onResize(Math.max(48, Math.round(width + clientX - start)))
  handle.addEventListener('pointermove', drag, end)
  handle.addEventListener('pointerup', () => end.abort(), end)
}
