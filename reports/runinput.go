package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"time"

	"breadboard/chains/selector"
)

// HashInput describes a file that a run has read, with its hash. What is no regular file, cannot be read any more or has more bytes than a limit has a
// note instead of a hash. A file that was changed after the run began has a note as well.
func HashInput(path string, began time.Time, limit int64) RunInput {
	in := RunInput{Path: path}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		in.Note = err.Error()
		return in
	case !info.Mode().IsRegular():
		in.Note = "no regular file, which has no hash"
		return in
	case info.ModTime().After(began):
		in.Note = "was changed after the run began"
	}
	f, err := selector.OpenFile(path, limit)
	if err != nil {
		in.Note = err.Error()
		return in
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		in.Note = err.Error()
		return in
	}
	in.Bytes, in.SHA256 = n, hex.EncodeToString(h.Sum(nil))
	return in
}
