import './docs.css'

// The page of the API is drawn by Swagger UI. It has a dark look of its own, under a class; our tokens say when.
const root = document.documentElement
const follow = () => root.classList.toggle('dark-mode', getComputedStyle(root).colorScheme === 'dark')
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', follow)
follow()
