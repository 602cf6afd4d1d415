import { Graph, layout } from '@dagrejs/dagre'

/** Places boxes so that the lines between them are short. Returns the left top corner of each, and the whole size. */
export function layoutDiagram(
  boxes: readonly Box[],
  lines: readonly (readonly [from: string, to: string])[],
): Diagram {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 28, ranksep: 90, marginx: 16, marginy: 16 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { name, width, height } of boxes) graph.setNode(name, { width, height })
  for (const [from, to] of lines) if (from !== to) graph.setEdge(from, to)
  layout(graph)
  const { width = 0, height = 0 } = graph.graph()
  const places = boxes.map(({ name, width: w, height: h }) => {
    const { x = 0, y = 0 } = graph.node(name)
    return [name, { left: x - w / 2, top: y - h / 2 }] as const
  })
  return { width, height, places: new Map(places) }
}

/** A box of a diagram, in pixels. */
export interface Box {
  name: string
  width: number
  height: number
}

/** The places of the boxes of a diagram, in pixels. */
export interface Diagram {
  width: number
  height: number
  places: ReadonlyMap<string, { left: number; top: number }>
}
