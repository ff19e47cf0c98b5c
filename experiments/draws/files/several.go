package files

import (
	"context"
	"fmt"
	"os"
	"slices"
)

// OpenAll opens files as one source that has the rows of all, one file after another. It fails if a
// file is given twice, and if they have different columns. The caller closes the reader.
func OpenAll(ctx context.Context, paths []string, o Options) (*Reader, error) {
	if err := Different(paths); err != nil {
		return nil, err
	}
	var all []*Reader
	for _, path := range paths {
		r, err := Open(ctx, path, o)
		if err == nil {
			if all = append(all, r); r.Columns() != all[0].Columns() {
				err = fmt.Errorf("%s and %s have different columns; files that are read together must have the same ones", paths[0], path)
			}
		}
		if err != nil {
			for _, opened := range all {
				opened.Close()
			}
			return nil, err
		}
	}
	all[0].left = all[1:]
	return all[0], nil
}

// Different fails if two paths are the same file, whose rows would count twice.
func Different(paths []string) error {
	var before []os.FileInfo
	for i, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil // it says so where it is opened
		}
		if at := slices.IndexFunc(before, func(other os.FileInfo) bool { return os.SameFile(info, other) }); at >= 0 {
			return fmt.Errorf("%s and %s are the same file; give it once", paths[at], paths[i])
		}
		before = append(before, info)
	}
	return nil
}

// files returns the readers of the files, in their order.
func (r *Reader) files() []*Reader { return slices.Concat(r.done, []*Reader{r}, r.left) }

// turn goes on to the next file. What has been seen of states and of digits holds for the rows of
// all files.
func (r *Reader) turn() {
	next := r.left[0]
	r.done = append(r.done, &Reader{name: r.name, rows: r.rows, close: r.close})
	next.table.sawZero, next.table.precision, next.table.doubles = r.table.sawZero, r.table.precision, r.table.doubles
	r.name, r.rows, r.table, r.close, r.left, r.began = next.name, next.rows, next.table, next.close, r.left[1:], r.read
}
