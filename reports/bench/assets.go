package bench

import (
	"embed"
	"io/fs"
)

//go:embed assets
var embedded embed.FS

// assets returns the files of the page: index.html, which is a template, and what it loads.
func assets() fs.FS {
	inside, err := fs.Sub(embedded, "assets")
	if err != nil {
		panic(err) // only for a name that is no path
	}
	return inside
}
