/** A queue that returns the item with the lowest key first; of equal keys, the item that was added first. */
export interface Heap<T> {
  push(key: number, item: T): void
  /** The lowest key; `Infinity` for an empty heap. */
  lowest(): number
  /** Removes the item with the lowest key; undefined for an empty heap. */
  pop(): T | undefined
}

/** Creates an empty binary heap: `push` and `pop` take logarithmic time. */
export function createHeap<T>(): Heap<T> {
  const nodes: Node<T>[] = []
  let count = 0

  /** Moves a node from a position towards the root, to its place. */
  function rise(node: Node<T>, from: number): void {
    let at = from
    for (let up = (at - 1) >> 1; at > 0; up = (at - 1) >> 1) {
      const parent = nodes[up]
      if (!parent || isBefore(parent, node)) break
      nodes[at] = parent
      at = up
    }
    nodes[at] = node
  }

  /** Moves a node from the root towards the leaves, to its place. */
  function sink(node: Node<T>): void {
    let at = 0
    for (;;) {
      const left = nodes[2 * at + 1]
      const right = nodes[2 * at + 2]
      const isRight = left && right && isBefore(right, left)
      const child = isRight ? right : left
      if (!child || isBefore(node, child)) break
      nodes[at] = child
      at = 2 * at + (isRight ? 2 : 1)
    }
    nodes[at] = node
  }

  return {
    push: (key, item) => rise({ key, order: count++, item }, nodes.length),
    lowest: () => nodes[0]?.key ?? Infinity,
    pop() {
      const [first] = nodes
      const last = nodes.pop()
      if (last && nodes.length > 0) sink(last)
      return first?.item
    },
  }
}

interface Node<T> {
  key: number
  order: number
  item: T
}

function isBefore<T>(a: Node<T>, b: Node<T>): boolean {
  return a.key < b.key || (a.key === b.key && a.order < b.order)
}
