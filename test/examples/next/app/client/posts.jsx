'use client'

import { useEffect, useState } from 'react'

import { List } from '../list'

export function Posts({ api }) {
  const [posts, setPosts] = useState([])
  useEffect(() => {
    fetch(`${api}/posts`)
      .then((response) => response.json())
      .then(setPosts)
  }, [api])
  return <List posts={posts} />
}
