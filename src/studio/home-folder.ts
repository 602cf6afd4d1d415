/**
 * The folder with the script and the style of the studio's page. The URL is also right from the folder of the
 * built command.
 */
export const homeFolder: URL = new URL('../studio/home/', import.meta.url)
