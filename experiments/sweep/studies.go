package sweep

import (
	"cmp"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments"
)

// defaultStudy is the study of a specification that names none.
const defaultStudy = "tightness"

// oneWord returns a name without what stands between its words, so that a study can be named as its command is: kernel check for kernelcheck,
// and samplers errors for samplers-errors.
func oneWord(name string) string { return strings.NewReplacer(" ", "", "-", "").Replace(name) }

// studyNamed returns the one of the studies that has a name, or that was called so before, and an error that lists them all for an unknown name.
func studyNamed(studies []*experiments.Study, name string) (*experiments.Study, error) {
	var names []string
	for _, s := range studies {
		if is := oneWord(name); is == oneWord(s.Name) || is != "" && is == s.Former {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, selector.UnknownError("study", selector.Cut(name), names)
}

// written returns the name of a study as files have it: none for the study that a specification need not name. So the
// files of its sweeps are what they were before there were others. A study that had another name before goes by that one there, so that what
// was solved under it counts.
func written(s *experiments.Study) string {
	if s.Name == defaultStudy {
		return ""
	}
	return cmp.Or(s.Former, s.Name)
}

// readStudy returns the study that written has written.
func readStudy(studies []*experiments.Study, name string) (*experiments.Study, error) {
	if name == "" {
		name = defaultStudy
	}
	return studyNamed(studies, name)
}
