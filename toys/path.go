package toys

import (
	"breadboard/chains"
	"breadboard/chains/paths"
)

// ParsePath returns the path of a selector between the ends that ParseInitial has made for a toy: "geometric",
// "arithmetic" (the mixture), "q:Q" (power means), "via:PATH" and "via:BETA:PATH", through the distribution whose
// log f is in a file, at beta 0.5 where that is left out, or "tempered", from the prior of a model.
func ParsePath(text string, ends *paths.Ends, toy *Toy) (chains.Path, error) {
	read := func(file string) ([]float64, error) { return ReadOn(file, toy) }
	return paths.Forms().Parse(text, paths.Env{Ends: ends, Read: read})
}

// FileOf returns the file that a selector of a toy, an initial distribution or a path names, and "" where it names none.
func FileOf(text string) string {
	_, text = SplitName(text)
	for _, file := range []string{Forms().File(text), InitialForms().File(text), paths.Forms().File(text)} {
		if file != "" {
			return file
		}
	}
	return ""
}
