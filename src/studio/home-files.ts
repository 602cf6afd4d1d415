/** The files of the page by name, for places without a file system. The build fills them in. */
export const homeFiles: Readonly<Record<string, string>> = {}
