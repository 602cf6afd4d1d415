/** How many fields to sort by, and relations to embed, a question may name: each is a walk through all records. */
export const mostNames = 100
