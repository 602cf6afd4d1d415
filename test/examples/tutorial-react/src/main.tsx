import { mount } from './mount.tsx'

const root = document.querySelector('#root')
if (root) mount(root)
