/** The script and the style of the studio's page by name. The build fills them in. */
export const homeFiles: Readonly<Record<string, string>> = {}
