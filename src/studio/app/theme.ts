import { type Signal, signal } from '@preact/signals'
import { frame } from '../host.ts'
import { remember, remembered } from '../parts/remember.ts'

/** The look of the page: that of the system, light or dark. */
export type Theme = 'system' | 'light' | 'dark'

/** The themes in the order in which the button of the header goes through them. */
export const themes: readonly Theme[] = ['system', 'light', 'dark']

/** The chosen theme, which the browser remembers. */
export const theme: Signal<Theme> = signal(remembered<Theme>('theme', 'system'))

/** Changes the theme. */
export function setTheme(next: Theme): void {
  theme.value = next
  remember('theme', next)
  showTheme()
}

/** Applies the theme to the page or panel. */
export function showTheme(): void {
  frame.dataset['theme'] = theme.value
}
