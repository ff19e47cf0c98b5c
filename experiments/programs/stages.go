package programs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/numpy"
)

// stageMark is the text that stands for the number of the stage in a path, or in the key of an
// array in an archive.
const stageMark = "{t}"

// maxStages is the largest number of matrix files that are read.
const maxStages = 10_000

// readMatrices reads the matrices of all stages from files whose path has {t} instead of the number
// of the stage, or from one archive with {t} in the key of its arrays. There must be a file, or an
// array, for t = 2, for 3 and so on without a gap.
func readMatrices(path string, on Env) (*chains.Transitions, error) {
	last, err := lastStage(path)
	if err != nil {
		return nil, fmt.Errorf("matrix %s: %w", path, err)
	}
	var stages []chains.Kernel
	for t := 2; t <= max(2, last); t++ { // if there is none at all, this makes the error name that for t = 2
		m, err := on.ReadMatrix(stagePath(path, t))
		if err != nil {
			return nil, err
		}
		stages = append(stages, m)
	}
	return chains.ByStage("matrix:"+path, stages), nil
}

// stagePath returns the path of the matrix of a stage.
func stagePath(path string, t int) string {
	return strings.ReplaceAll(path, stageMark, strconv.Itoa(t))
}

// lastStage returns the last stage for whose path there is an entry in the folder, which may also
// be a link to nowhere, or an array in the archive, and 0 if there is none. Every stage from 2 to
// the last must have one.
func lastStage(path string) (int, error) {
	what := "a file"
	of := stagesOf
	if keyed(path) {
		what = "an array"
		of = stagesOfKeys
	}
	stages, err := of(path)
	if err != nil || len(stages) == 0 {
		return 0, err
	}
	for i, t := range stages {
		switch {
		case t < 2:
			return 0,
				errs.New("there is %s for t = %d, but stages are numbered from 2, since the first distribution "+
					"has no kernel; rename them, or omit that one",
					what, t)
		case i == maxStages:
			return 0, fmt.Errorf("more than %d stages", maxStages)
		case t != i+2:
			return 0, errs.New("there is %s for t = %d but none for %d; add it, or omit those of the later stages",
				what, t, i+2)
		}
	}
	return stages[len(stages)-1], nil
}

// keyed reports whether the number of the stage stands in the key of an array, and not in the path
// of a file.
func keyed(path string) bool {
	return strings.Contains(numpy.KeyOf(path), stageMark) && !strings.Contains(numpy.FileOf(path), stageMark)
}

// stagesOfKeys returns the sorted stage numbers for which the archive has an array.
func stagesOfKeys(path string) ([]int, error) {
	names, err := numpy.Keys(path)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, name := range names {
		there[name] = true
	}
	key := numpy.KeyOf(path)
	before, err := beforeStage(key)
	return stagesAmong(names, before, func(t int) bool { return there[stagePath(key, t)] }), err
}

// beforeStage returns what stands before the number of the stage.
func beforeStage(path string) (before string, err error) {
	before, after, _ := strings.Cut(path, stageMark)
	if after != "" && after[0] >= '0' && after[0] <= '9' {
		err = errs.New(
			"a digit follows %s, so the number of the stage is ambiguous; put another character between them",
			stageMark,
		)
	}
	return before, err
}

// stagesOf returns the sorted stage numbers for which the path has an entry. It looks in the folder
// of the first part of the path that has {t} in it.
func stagesOf(path string) (stages []int, err error) {
	before, err := beforeStage(path)
	if err != nil {
		return nil, err
	}
	folder, prefix := filepath.Split(before)
	if folder == "" {
		folder = "."
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return stagesAmong(names, prefix, func(t int) bool {
		_, err := os.Lstat(numpy.FileOf(stagePath(path, t)))
		return err == nil
	}), nil
}

// stagesAmong returns the sorted numbers that follow a prefix in some of the names, and for which
// there is something.
func stagesAmong(names []string, prefix string, there func(t int) bool) (stages []int) {
	seen := map[int]bool{}
	for _, name := range names {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		t, err := strconv.Atoi(digits)
		if err != nil || strconv.Itoa(t) != digits || seen[t] || !there(t) {
			continue
		}
		seen[t] = true
		stages = append(stages, t)
	}
	sort.Ints(stages)
	return stages
}
