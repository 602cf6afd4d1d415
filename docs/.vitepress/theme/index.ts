import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'

import LiveDemo from './LiveDemo.vue'
import PlayGround from './PlayGround.vue'
import '../../../src/studio/style/tokens.css'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('LiveDemo', LiveDemo)
    app.component('PlayGround', PlayGround)
  },
} satisfies Theme
