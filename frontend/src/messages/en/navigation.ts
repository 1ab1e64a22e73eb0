export const english = {
  sidebar: 'Sidebar',
  toggleSidebar: 'Show or hide the names in the sidebar',
  showPages: 'Show the pages of {group}',
  pagesOf: 'Pages: {group}',
  mainPages: 'Main pages',
  apiDocs: 'API docs',
  help: 'Help',
  allHelp: 'Guides, words and all shortcuts',
} as const
