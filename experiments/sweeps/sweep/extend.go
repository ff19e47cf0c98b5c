package sweep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"sort"
	"time"

	"breadboard/chains/errs"
)

// Extension counts the cells of a folder when its sweep is replaced by another one.
type Extension struct {
	Kept  int  // cells of both sweeps
	New   int  // cells of the new sweep alone
	Gone  int  // cells of the old sweep alone; their results stay in the folder, but are ignored
	First Cell // the first of these
}

// Extend replaces the sweep of a folder by another one of the same study, which Run and CheckFolder
// reject otherwise. Results of cells that both sweeps have belong to the new one, too. The manifest
// of the old sweep is kept under another name, so that its results can be told from damage, and it
// can be extended back. Extend changes nothing, and returns nil, if the folder has this sweep or
// none.
//
// A power cut leaves one sweep or the other: the old manifest is saved before it is replaced.
func Extend(ctx context.Context, dir string, s *Sweep) (*Extension, error) {
	return extendIn(ctx, disk{}, dir, s)
}

func extendIn(ctx context.Context, files fileSystem, dir string, s *Sweep) (e *Extension, err error) {
	if there, err := s.toExtend(files, dir); there == nil || err != nil {
		return nil, err
	}
	lock, err := lockManifest(ctx, files, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	there, err := s.toExtend(files, dir) // once more: another run may have replaced it
	if there == nil || err != nil {
		return nil, err
	}
	if err := writeManifest(files, dir, earlierName(there.id), there); err != nil {
		return nil, err
	}
	if err := writeManifest(files, dir, manifestName, s); err != nil {
		return nil, err
	}
	return s.extension(there), nil
}

// toExtend returns the sweep of a folder that is to be extended, and nil if the folder holds this
// one or none.
func (s *Sweep) toExtend(files fileSystem, dir string) (*Sweep, error) {
	there, err := readManifest(s.studies, files, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // where results lie about without one, Run refuses the folder
	}
	if err != nil || there.id == s.id {
		return nil, err
	}
	return there, s.extends(there, dir)
}

// extends refuses a sweep that no other can go on from: one of another study, whose results have
// other numbers.
func (s *Sweep) extends(there *Sweep, dir string) error {
	if there.study.Name == s.study.Name {
		return nil
	}
	return Refusal{errs.New(
		"%s holds a sweep of the study %s; a sweep of the study %s cannot extend it; give another {out|folder}",
		dir,
		there.study.Name,
		s.study.Name,
	)}
}

// extension counts the cells that two sweeps have in common, and those that one of them has alone.
func (s *Sweep) extension(old *Sweep) *Extension {
	now := s.index()
	e := &Extension{}
	for i := range old.Len() {
		c := old.Cell(i)
		if _, both := now[old.Key(c)]; both {
			e.Kept++
			continue
		}
		if e.Gone == 0 {
			e.First = c
		}
		e.Gone++
	}
	e.New = s.Len() - e.Kept
	return e
}

// earlierFile recognises the names of manifests of sweeps that a folder has held before.
var earlierFile = regexp.MustCompile(`^manifest-([0-9a-f]{32})\.json$`)

// earlierName returns the name of such a manifest.
func earlierName(id Key) string { return fmt.Sprintf("manifest-%v.json", id) }

// readEarlier returns the sweeps that a folder has held before, of which there may be results in
// its files.
func readEarlier(studies Studies, files fileSystem, dir string) (out []*Sweep, err error) {
	names, err := files.Names(dir)
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	for _, name := range names {
		m := earlierFile.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		path := filepath.Join(dir, name)
		s, err := readManifestAt(studies, files, path)
		if err != nil {
			return nil, err
		}
		if s.id.String() != m[1] {
			return nil, errs.New("%s is the manifest of the sweep %v; rename it back", path, s.id)
		}
		out = append(out, s)
	}
	return out, nil
}

// manifestPatience is how long the lock of a manifest is waited for.
const manifestPatience = 5 * time.Second
