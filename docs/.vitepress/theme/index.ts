import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'

import LiveDemo from './live-demo.vue'
import PlayGround from './play-ground.vue'
import '../../../src/studio/style/tokens.css'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('LiveDemo', LiveDemo)
    app.component('PlayGround', PlayGround)
  },
} satisfies Theme
