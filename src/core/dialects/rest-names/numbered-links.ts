import type { PageFacts } from './facts.ts'

/** The links of a paginator (`meta.links` of Laravel): previous page, pages around and at the ends, next page. */
export function numberedLinks(page: PageFacts & { index: number; pages: number }): NumberedLink[] {
  const { index, pages, links, firstNumber, urlOf } = page
  const last = Math.max(1, pages) - 1
  const toLink = (at: number): NumberedLink => ({
    url: urlOf(at),
    label: String(at + firstNumber),
    page: at + firstNumber,
    active: at === index,
  })
  const gap: NumberedLink = { url: null, label: '...', active: false }
  const shown = shownPages(index, last)
  const pageLinks = shown.flatMap((at, place) => {
    const before = shown[place - 1]
    return before !== undefined && at - before > 1 ? [gap, toLink(at)] : [toLink(at)]
  })
  return [
    {
      url: links.prev ?? null,
      label: '&laquo; Previous',
      page: links.prev ? index - 1 + firstNumber : null,
      active: false,
    },
    ...pageLinks,
    {
      url: links.next ?? null,
      label: 'Next &raquo;',
      page: links.next ? index + 1 + firstNumber : null,
      active: false,
    },
  ]
}

interface NumberedLink {
  url: string | null
  label: string
  page?: number | null
  active: boolean
}

/** The number of pages on either side of the current page. */
const SIDE = 3

/** Returns the indexes of the pages that a paginator shows, in ascending order. */
function shownPages(index: number, last: number): number[] {
  if (last + 1 < SIDE * 2 + 8) return range(0, last)
  const window = SIDE + 4
  if (index < window) return [...range(0, window + SIDE - 1), last - 1, last]
  if (index > last - window) return [0, 1, ...range(last - (window + SIDE - 1), last)]
  return [0, 1, ...range(index - SIDE, index + SIDE), last - 1, last]
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}
