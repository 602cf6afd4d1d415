import { defineConfig } from 'vitepress'

import { sidebar } from './sidebar.ts'

export default defineConfig({
  title: 'Fixtura',
  description: 'Your API, before it exists: JSON files as a REST API for development and tests.',
  lang: 'en',
  cleanUrls: true,
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/guides/testing', activeMatch: '/(start|set-up|guides)/' },
      { text: 'Reference', link: '/reference/requests', activeMatch: '/reference/' },
      { text: 'How it works', link: '/how-it-works' },
    ],
    sidebar: sidebar.map((section) =>
      'items' in section ? { ...section, collapsed: false } : section,
    ),
    search: { provider: 'local' },
    outline: [2, 3],
  },
})
