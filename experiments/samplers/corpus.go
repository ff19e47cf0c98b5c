package samplers

import "errors"

// ParseCorpus returns the selectors of the targets of a corpus.
func ParseCorpus(text string) ([]string, error) { return nil, errors.New("to come: " + text) }
