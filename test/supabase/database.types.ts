/** As `supabase gen types typescript` writes it for the tables of `seed.sql`. */
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  __InternalSupabase: { PostgrestVersion: '13.0.5' }
  public: {
    Tables: {
      authors: {
        Row: { id: string; joined_at: string; name: string }
        Insert: { id?: string; joined_at?: string; name: string }
        Update: { id?: string; joined_at?: string; name?: string }
        Relationships: []
      }
      posts: {
        Row: {
          author_id: string | null
          id: number
          meta: Json | null
          status: Database['public']['Enums']['status']
          tags: string[]
          title: string
          views: number
        }
        Insert: {
          author_id?: string | null
          id?: number
          meta?: Json | null
          status?: Database['public']['Enums']['status']
          tags?: string[]
          title: string
          views?: number
        }
        Update: {
          author_id?: string | null
          id?: number
          meta?: Json | null
          status?: Database['public']['Enums']['status']
          tags?: string[]
          title?: string
          views?: number
        }
        Relationships: [
          {
            foreignKeyName: 'posts_author_id_fkey'
            columns: ['author_id']
            isOneToOne: false
            referencedRelation: 'authors'
            referencedColumns: ['id']
          },
        ]
      }
    }
    Views: { [_ in never]: never }
    Functions: { [_ in never]: never }
    Enums: { status: 'draft' | 'published' }
    CompositeTypes: { [_ in never]: never }
  }
}
