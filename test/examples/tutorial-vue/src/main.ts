import { mount } from './mount.ts'

const root = document.querySelector('#app')
if (root) mount(root)
