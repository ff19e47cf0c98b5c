package conform

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// CheckFolder fails where a folder that the files are to be written to holds an array of another task that none of them
// replaces. Whoever reads the folder later would take it for one of this task. A folder that does not exist is right.
func CheckFolder(dir string, files []File) error {
	var stale []string
	for _, pattern := range []string{
		"logf_first.*", stagesFile, initialFile, middleFile, "neighbours.*", "kernel.npy", "kernel_[0-9]*.npy", "reversal.npy", "reversal_[0-9]*.npy", exampleFile,
	} {
		paths, err := filepath.Glob(filepath.Join(escaped(dir), pattern))
		if err != nil {
			return err
		}
		for _, path := range paths {
			name := filepath.Base(path)
			if !slices.ContainsFunc(files, func(f File) bool { return f.Name == name }) {
				stale = append(stale, name)
			}
		}
	}
	if len(stale) > 0 {
		return fmt.Errorf("%s holds %s, which seems to be of another task and is not replaced by this one; give a folder of its own to each task, or remove what is there", dir, strings.Join(stale, ", "))
	}
	return nil
}

// escaped returns a path in which no character has a meaning of its own in a pattern.
func escaped(dir string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(dir)
}
