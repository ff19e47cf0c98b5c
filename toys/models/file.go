package models

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/grid"
)

const (
	maxModelFile = 64 << 10 // bytes of a file of a model
	maxTableFile = 4 << 20  // bytes of its data
	// maxTerms bounds the numbers that the likelihoods of all states are made of: one for each
	// state, row and column. With that many of them setting up a toy takes about ten seconds.
	maxTerms = 1 << 30
	// farthest bounds the size of a datum and of a variance, and of one divided by it: with data to
	// the square over a variance nothing then overflows.
	farthest = particle.MaxPoint
	// sumError is how far the sum of probabilities may be from one. They are never rescaled.
	sumError = 1e-9
)

// The keys of a file of a model.
const (
	keyKind    = "kind"
	keyData    = "data"
	keyPi      = "pi"
	keyCentre  = "centre_variance"
	keyFeature = "feature_variance"
	keyNoise   = "noise_variance"
)

// kind is a kind of model that a file may describe.
type kind struct {
	name   string
	signal string // the key of the variance of its parameters
	build  func(f *modelFile) (Model, error)
}

func kinds() []kind {
	return []kind{{"clustering", keyCentre, buildClustering}, {"binary", keyFeature, buildBinary}}
}

// modelFile is what a file of a model says.
type modelFile struct {
	y             [][]float64
	pi            []float64
	signal, noise float64
}

// ReadModel reads a model from a TOML file, with the data in a CSV file beside it, as ParseTable
// takes them. It also returns a description of the model in a few words.
// For a clustering it is
//
//	kind = "clustering"
//	data = "points.csv"      # a row for each datum
//	pi = [0.5, 0.3, 0.2]     # the probabilities of the clusters, which sum to one
//	centre_variance = 4.0    # of the centres of the clusters, around zero
//	noise_variance = 1.0     # of the data around the centres
//
// and for binary attributes
//
//	kind = "binary"
//	data = "points.csv"
//	pi = [0.5, 0.3]          # the probability of each attribute
//	feature_variance = 2.0   # of the features, which the attributes add up
//	noise_variance = 0.5
//
// Probabilities are between 0 and 1, and those of clusters sum to one within 1e-9: they are never
// rescaled. Variances are from 1e-100 to 1e100. Other keys are errors, and so is a model whose
// space or whose likelihoods take too long.
func ReadModel(path string) (m Model, description string, err error) {
	keys, err := readKeys(path)
	if err != nil {
		return nil, "", err
	}
	m, err = parseModel(path, keys)
	if err != nil {
		return nil, "", fmt.Errorf("model %s: %w", path, err)
	}
	return m, describe(m) + ", read from " + filepath.Base(path), nil
}

// DataFile returns the path of the data that a file of a model names.
func DataFile(path string) (string, error) {
	keys, err := readKeys(path)
	if err != nil {
		return "", err
	}
	name, err := text(keys, keyData)
	if err != nil {
		return "", fmt.Errorf("model %s: %w", path, err)
	}
	return selector.Beside(path, name)
}

func readKeys(path string) (map[string]any, error) {
	if path == "" {
		return nil, errs.New("model: no path; give the path of a TOML file with kind, data, pi and two variances")
	}
	text, err := selector.ReadFile(path, maxModelFile)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	var keys map[string]any
	if err := selector.DecodeTOML(text, &keys); err != nil {
		return nil, errs.New("model %s: %w; breadboard help models shows such a file", path, err)
	}
	return keys, nil
}

func parseModel(path string, keys map[string]any) (Model, error) {
	k, err := kindOf(keys)
	if err != nil {
		return nil, err
	}
	f := &modelFile{}
	for _, v := range []struct {
		key string
		dst *float64
	}{{k.signal, &f.signal}, {keyNoise, &f.noise}} {
		*v.dst, err = variance(keys, v.key)
		if err != nil {
			return nil, err
		}
	}
	if keys[keyPi] == nil {
		return nil, missing(keyPi, "as in pi = [0.5, 0.5]")
	}
	f.pi, err = row(keyPi, keys[keyPi])
	if err != nil {
		return nil, err
	}
	if err := checkProbabilities(f.pi); err != nil {
		return nil, err
	}
	name, err := text(keys, keyData)
	if err != nil {
		return nil, err
	}
	data, err := selector.ReadBeside(path, name, maxTableFile)
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	f.y, err = ParseTable(data)
	if err != nil {
		return nil, fmt.Errorf("data %s: %w", name, err)
	}
	return k.build(f)
}

// kindOf returns the kind of a model, and refuses keys that it does not have.
func kindOf(keys map[string]any) (kind, error) {
	if keys[keyKind] == nil && (keys[keySeen] != nil || keys["observations"] != nil) {
		return kind{}, errs.New("it is a hidden Markov model; write hmm: in front of its path")
	}
	name, err := text(keys, keyKind)
	if err != nil {
		return kind{}, err
	}
	var names, signals []string
	for _, k := range kinds() {
		names, signals = append(names, k.name), append(signals, k.signal)
	}
	i := slices.Index(names, name)
	if i < 0 {
		return kind{}, selector.UnknownError("kind", name, names)
	}
	k := kinds()[i]
	known := []string{keyKind, keyData, keyPi, k.signal, keyNoise}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if j := slices.Index(signals, key); j >= 0 && j != i {
			return kind{}, errs.New("the key %s is for the kind %s; for %s it is %s", key, names[j], name, k.signal)
		}
		if !slices.Contains(known, key) {
			return kind{}, selector.UnknownError("key", key, known)
		}
	}
	return k, nil
}

func text(keys map[string]any, key string) (string, error) {
	v, given := keys[key]
	if !given {
		return "", missing(key, map[string]string{
			keyKind: `kind = "clustering" or kind = "binary"`, keyData: `as in data = "points.csv"`}[key])
	}
	s, ok := v.(string)
	if !ok {
		return "", errs.New("%s is not text; write it in quotes", key)
	}
	return s, nil
}

func missing(key, give string) error { return errs.New("there is no %s; give it, %s", key, give) }

func variance(keys map[string]any, key string) (float64, error) {
	if keys[key] == nil {
		return 0, missing(key, "as in "+key+" = 1.0")
	}
	v, err := row(key, []any{keys[key]})
	if err != nil {
		return 0, fmt.Errorf("%s is not a number", key)
	}
	if !(v[0] > 0) || math.IsInf(v[0], 1) {
		return 0, errs.New("%s is %v; a variance is positive and finite", key, v[0])
	}
	if v[0] < 1/farthest || v[0] > farthest {
		return 0, errs.New("%s is %v; it is from %v to %v, so that nothing overflows",
			key, v[0], 1/farthest, farthest)
	}
	return v[0], nil
}

// checkProbabilities fails if a probability is not between 0 and 1.
func checkProbabilities(pi []float64) error {
	if len(pi) == 0 {
		return errs.New("pi is empty; give a probability for each cluster or attribute")
	}
	for k, p := range pi {
		if !(p > 0 && p < 1) {
			return errs.New("pi: entry %d is %v; each probability is above 0 and below 1", k+1, p)
		}
	}
	return nil
}

func buildClustering(f *modelFile) (Model, error) {
	sum := 0.0
	for _, p := range f.pi {
		sum += p
	}
	if !(math.Abs(sum-1) <= sumError) {
		return nil, errs.New("pi sums to %v; make it sum to one, as it is never rescaled", sum)
	}
	if err := grid.FitsPower(float64(len(f.pi)), float64(len(f.y))); err != nil {
		return nil, errs.New("%d rows in %d clusters: %w; give fewer rows of data or fewer clusters",
			len(f.y), len(f.pi), err)
	}
	m := &Clustering{f.y, estimators.Clusters{Pi: f.pi, CentreVariance: f.signal, NoiseVariance: f.noise}}
	if err := checkTerms(m.Space().States(), f.y); err != nil {
		return nil, err
	}
	return m, nil
}

func buildBinary(f *modelFile) (Model, error) {
	if err := grid.FitsPower(2, float64(len(f.y)*len(f.pi))); err != nil {
		return nil, errs.New("%d rows with %d attributes: %w; give fewer rows of data or fewer attributes",
			len(f.y), len(f.pi), err)
	}
	m := &Binary{f.y, estimators.Attributes{Pi: f.pi, FeatureVariance: f.signal, NoiseVariance: f.noise}}
	if err := checkTerms(m.Space().States(), f.y); err != nil {
		return nil, err
	}
	return m, nil
}

// checkTerms fails if the likelihoods of all states would take too long.
func checkTerms(states int, y [][]float64) error {
	if terms := float64(states) * float64(len(y)) * float64(len(y[0])); terms > maxTerms {
		return errs.New("the likelihoods of %d states with %d rows of %d columns take %.4g terms, and the limit is %d; "+
			"give fewer rows of data or fewer columns",
			states, len(y), len(y[0]), terms, maxTerms)
	}
	return nil
}

// describe says of a model that was read from a file what it is.
func describe(m Model) string {
	rows := func(y [][]float64) string {
		return selector.Count(len(y), "row") + " of " + selector.Count(len(y[0]), "column")
	}
	switch m := m.(type) {
	case *Clustering:
		return fmt.Sprintf("%s in %s", rows(m.Y), selector.Count(len(m.Pi), "cluster"))
	case *Binary:
		return fmt.Sprintf("%s with %s", rows(m.Y), selector.Count(len(m.Pi), "binary attribute"))
	}
	panic(fmt.Sprintf("models: no file describes a %T", m))
}
