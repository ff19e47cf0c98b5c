package papers

import (
	"embed"
	"io/fs"
)

//go:embed inputs
var inputs embed.FS

// Inputs returns the files that commands of claims name, such as inputs/two.npy.
func Inputs() fs.FS { return inputs }
