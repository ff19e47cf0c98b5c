package numpy

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Member is an array in an archive: its name, and its bytes as a file .npy.
type Member struct {
	Name string
	Data []byte
}

// WriteArchive writes arrays as a file .npz, which is a ZIP of files .npy that are not compressed. It has no times, so that the same
// arrays are always the same bytes.
func WriteArchive(w io.Writer, members []Member) error {
	out := zip.NewWriter(w)
	for _, m := range members {
		to, err := out.CreateHeader(&zip.FileHeader{Name: m.Name + npySuffix, Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err := to.Write(m.Data); err != nil {
			return err
		}
	}
	return out.Close()
}

const npySuffix = ".npy"

// maxDirectory is the largest number of bytes that the list of what an archive holds may have: some thousands of arrays.
const maxDirectory = 1 << 20

// maxListed is the largest number of names that an error lists.
const maxListed = 20

// ReadMember returns one array of an archive, as a file .npy of at most limit bytes. Where the key is empty the archive must have one
// array only; the error lists the keys otherwise. Neither what the archive says of its sizes nor how far a member expands is
// believed beyond the limit.
func ReadMember(archive io.ReaderAt, size int64, key string, limit int64) ([]byte, error) {
	files, err := filesOf(archive, size)
	if err != nil {
		return nil, err
	}
	var keys []string
	var found *zip.File
	for _, f := range files {
		name, array := strings.CutSuffix(f.Name, npySuffix)
		if !array {
			continue
		}
		keys = append(keys, name)
		if name == key || key == "" {
			if found != nil && key != "" {
				return nil, fmt.Errorf("the archive has two arrays of the name %q; save it again, with a name for each", key)
			}
			found = f
		}
	}
	switch {
	case len(keys) == 0:
		return nil, errors.New("the archive has no arrays; write it with numpy.savez")
	case key == "" && len(keys) > 1:
		return nil, fmt.Errorf("the archive has %d arrays; name one of them behind #, as in FILE.npz#%s: %s", len(keys), keys[0], listed(keys))
	case found == nil:
		return nil, fmt.Errorf("the archive has no array %q; it has %s", key, listed(keys))
	}
	data, err := expand(found, limit)
	if err != nil {
		return nil, fmt.Errorf("array %s: %w", strings.TrimSuffix(found.Name, npySuffix), err)
	}
	return data, nil
}

// filesOf reads the list of what an archive holds.
func filesOf(archive io.ReaderAt, size int64) ([]*zip.File, error) {
	bounded := &boundedReader{from: archive, left: maxDirectory + 1<<17} // the end of the list is looked for in the last 64 kB
	list, err := zip.NewReader(bounded, size)
	switch {
	case bounded.over:
		return nil, fmt.Errorf("the list of what the archive holds takes more than %d bytes; save fewer arrays", maxDirectory)
	case err != nil:
		return nil, fmt.Errorf("this is no .npz file, or one that is cut off (%w)", err)
	}
	bounded.left = 1 << 62
	return list.File, nil
}

// boundedReader fails where more than so many bytes have been read.
type boundedReader struct {
	from io.ReaderAt
	left int64
	over bool
}

func (b *boundedReader) ReadAt(p []byte, at int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		b.over = true
		return 0, errors.New("too long")
	}
	return b.from.ReadAt(p, at)
}

// expand returns the content of a file of an archive, of at most limit bytes.
func expand(f *zip.File, limit int64) ([]byte, error) {
	tooLarge := fmt.Errorf("it has more than %d bytes; is it the right array? if so, make it smaller", limit)
	if f.UncompressedSize64 > uint64(limit) {
		return nil, tooLarge
	}
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data := make([]byte, f.UncompressedSize64)
	if _, err := io.ReadFull(in, data); err != nil {
		return nil, fmt.Errorf("it is cut off or damaged (%w)", err)
	}
	if n, err := in.Read(make([]byte, 1)); n != 0 || err != io.EOF { // the end is where the sum of the bytes is checked
		return nil, fmt.Errorf("it is damaged (%v)", err)
	}
	return data, nil
}

// listed writes names for a message.
func listed(names []string) string {
	if more := len(names) - maxListed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), more)
	}
	return strings.Join(names, ", ")
}
