package conform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/draws"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
)

// Estimates is the claim about estimates of Z, which is Z_T/Z_1, or Z_T if log Z_1 is included (see
// Options.LogZIncluded).
type Estimates struct {
	Claim verdicts.Claim
	// Largest and Smallest bound log Zhat in nats; NaN if they are not known. For the claim of no
	// bias an unknown Largest is that of averages of products of the annealing's own increments,
	// and of particle filters of a hidden Markov model.
	Largest, Smallest float64
	// Number says that Z is a given number, and the task only its container.
	Number bool
}

// EstimatesOutcome is the result of the test of estimates of Z.
type EstimatesOutcome struct {
	Source     string
	Number     bool // whether Z is a given number, not that of an annealing
	Claim      verdicts.Claim
	LogZ       float64 // the exact value, in nats; less log P(f_T > 0) for verdicts.ReciprocalUnbiased
	Other      float64 // log Z_T if LogZ is log(Z_T/Z_1), and the reverse
	Summary    verdicts.Summary
	Detectable *Detectable // nil if nothing can be said
	Shown      verdicts.Shown
	// Decides is the number of estimates, with the scatter of these, that would show the observed
	// deviation; +Inf if no number would, NaN if it is not known.
	Decides float64
	// the deviations of probabilities that a pass excludes, if the claim is about probabilities
	Guarantees []Guarantee
}

// whyOpen says why estimates without a fault are no pass, and how many decide; nothing if they are
// one: nothing is off by verdicts.FarErrors, and some deviation would have been found.
func (o *EstimatesOutcome) whyOpen() (why string, decides float64) {
	blind := len(o.Guarantees) > 0 || o.Detectable != nil
	for i := range o.Guarantees {
		blind = blind && !o.Guarantees[i].Finds()
	}
	if d := o.Detectable; d != nil {
		blind = blind && math.IsInf(d.Low, 0) && math.IsInf(d.High, 0)
	}
	if o.Shown.Errors >= verdicts.FarErrors && o.Decides <= math.MaxFloat64 {
		// else it is never, or not known
		decides = o.Decides
	}
	switch {
	case math.IsNaN(o.Shown.Errors):
		return "so few have no standard error", 0
	case o.Shown.Errors >= verdicts.FarErrors && o.Shown.Event != "":
		often := map[bool]string{true: "too often", false: "too rarely"}[o.Shown.High]
		return fmt.Sprintf("%s happens %s by %.1f standard errors", o.Shown.Event, often, o.Shown.Errors), decides
	case o.Shown.Errors >= verdicts.FarErrors:
		return fmt.Sprintf("they are too %s by %.4g standard errors",
			map[bool]string{true: "high", false: "low"}[o.Shown.High], o.Shown.Errors), decides
	case blind:
		return Blind(selector.Count(o.Summary.Draws, "estimate")), 0
	}
	return "", 0
}

// onAverage says why the estimates are no pass, if standard errors decide about the mean of their
// logs since their range is not known, and where this mean is. It is never a fault: the standard
// errors of heavy tails are too small.
func (o *EstimatesOutcome) onAverage() (why, where string) {
	z := (o.Summary.MeanLog - o.LogZ) / o.Summary.MeanLogError
	where = fmt.Sprintf("the mean of their logs is %.3g standard errors %s log Z", math.Abs(z),
		map[bool]string{true: "above", false: "below"}[z > 0])
	if o.Claim == verdicts.LowerOnAverage {
		z = -z
	}
	switch {
	case math.IsNaN(z):
		return "so few have no standard error", ""
	case z <= -verdicts.FarErrors:
		return "without an end of their range, a rare value could restore the mean", where
	case z < verdicts.FarErrors:
		return "more estimates decide", where
	}
	return "", where
}

// Detectable says which wrong means of estimates would have been found, as an indication: it takes
// the scatter of the estimates for that of a correct estimator.
type Detectable struct {
	// Low and High are logs of means in nats, or means of logs for claims on average. Estimates
	// with this scatter and a mean of at most Low, or at least High, would have been found with at
	// least verdicts.DetectionProbability. They are -Inf and +Inf if no such mean would have been
	// found, such as on the side that a bound allows.
	Low, High float64
	Taken     int // the number of first estimates that give the scatter
}

// mostTaken is the largest number of estimates that are taken for the distribution of an estimator.
const mostTaken = 1024

// estimating takes estimates of Z.
type estimating struct {
	source draws.Source
	claim  Claimed
	logZ   float64 // what the claim compares with
	test   *verdicts.Test
	rows   int
	ended  bool
	first  []float64 // the first estimates
}

// addEstimates sets up the test of estimates of Z.
func (c *checker) addEstimates(ctx context.Context, source draws.Source, o Estimates) error {
	if source == nil {
		return nil
	}
	claim, err := parseClaim(o.Claim)
	if err != nil {
		return err
	}
	if err := o.useless(claim); err != nil {
		return err
	}
	e := &estimating{source: source, claim: claim, logZ: c.logZ()}
	if claim.Name == verdicts.ReciprocalUnbiased {
		e.logZ -= c.task.logReached()
	}
	on, err := claim.test(
		ctx,
		about{&c.task.Case, e.logZ, c.logZ() - c.task.LogZRatio(), o.Largest, o.Smallest, c.Workers},
	)
	if err != nil {
		return err
	}
	e.test = on
	c.estimates = e
	c.tests = append(c.tests, &test{
		Result: Result{Test: e.testName()}, draws: func() int { return e.rows },
		value: func() (float64, func() string) { return on.LogE(), on.Where }, idle: on.Idle,
	})
	return nil
}

// logZ returns log Z as estimates have it.
func (c *checker) logZ() float64 {
	if c.LogZIncluded {
		return c.task.LogZT
	}
	return c.task.LogZRatio()
}

// otherLogZ returns log Z as estimates would have it that hold log Z_1 where these do not, or the
// other way round.
func (c *checker) otherLogZ() float64 {
	if c.LogZIncluded {
		return c.task.LogZRatio()
	}
	return c.task.LogZT
}

// readTo reads until there are that many estimates, or the source ends.
func (e *estimating) readTo(ctx context.Context, c *checker, rows int) error {
	for e.rows < rows && !e.ended {
		b, err := e.source.Next(ctx, min(rows-e.rows, maxBatch))
		switch {
		case errors.Is(err, io.EOF) && e.rows == 0:
			return fmt.Errorf("%s: there are no estimates in it", e.source.Name())
		case errors.Is(err, io.EOF):
			e.ended = true
			return nil
		case err != nil:
			return err
		case b.LogZ == nil:
			return fmt.Errorf("%s: it has no column log_z", e.source.Name())
		case e.claim.Errors && b.SE == nil:
			return fmt.Errorf("%s: it has no column se, the standard errors of log_z, which the claim %q is about",
				e.source.Name(), e.claim.Name)
		}
		if err := e.addEstimates(b); err != nil {
			return fmt.Errorf("%s: %w", e.source.Name(), err)
		}
		e.first = append(e.first, b.LogZ[:min(len(b.LogZ), mostTaken-len(e.first))]...)
		e.rows += b.Rows
		c.report(b.Rows)
	}
	return nil
}

// addEstimates has the test take estimates.
func (e *estimating) addEstimates(b *draws.Batch) error {
	if e.claim.Errors {
		return e.test.AddWithErrors(b.LogZ, b.SE, e.source.Precision().Rounding)
	}
	return e.test.AddRounded(b.LogZ, e.source.Precision().Rounding)
}

// testName returns the name of the test.
func (e *estimating) testName() string { return "estimates of Z " + e.claim.Says }

func (e *estimating) outcome(c *checker) *EstimatesOutcome {
	return &EstimatesOutcome{
		Source:  e.source.Name(),
		Number:  c.Options.Estimates.Number,
		Claim:   e.claim.Name,
		LogZ:    e.logZ,
		Other:   c.otherLogZ() + e.logZ - c.logZ(),
		Summary: e.test.Summary(),
	}
}

// guarantees returns which deviations of probabilities would have been found.
func (e *estimating) guarantees(c *checker) (out []Guarantee) {
	for _, d := range e.test.Deviations(c.logThreshold(0)) {
		g := Guarantee{
			Test:     "estimates of Z",
			Quantity: "P(" + d.Name + ")",
			Draws:    d.Draws,
			Right:    d.P.Value,
			Low:      d.Low,
			High:     d.High,
		}
		g.setDivergences(d.P.Value)
		out = append(out, g)
	}
	return out
}

// detectable finds which wrong means would have been found, and after how many estimates what they
// show is; nothing of a mean that is not tested or not finite.
func (e *estimating) detectable(c *checker, out *EstimatesOutcome) (err error) {
	out.Shown = e.test.Shown()
	out.Decides = math.NaN()
	if out.Shown.Errors >= verdicts.FarErrors && out.Shown.Event != "" {
		out.Decides = e.test.DrawsToShow(out.Shown, c.logThreshold(0))
	}
	mean := meanClaimed(e.test.Claim(), e.first)
	if !verdicts.OfMeans(e.claim.Name) || e.test.Idle() || math.IsNaN(mean) || math.IsInf(mean, 0) {
		return nil
	}
	law := verdicts.Law{Values: make([]float64, len(e.first)), P: make([]float64, len(e.first))}
	for i, v := range e.first {
		law.Values[i], law.P[i] = v-mean+e.logZ, 1/float64(len(e.first))
	}
	low, high, err := e.test.Detectable(law, e.rows, c.logThreshold(0), 1-verdicts.DetectionProbability)
	if err != nil {
		return err
	}
	out.Detectable = &Detectable{e.logZ + low, e.logZ + high, len(e.first)}
	all, _ := e.test.Mean()
	for i := range law.Values {
		law.Values[i] += all - e.logZ
	}
	out.Decides, err = e.test.DrawsToFind(law, c.logThreshold(0), 1-verdicts.DetectionProbability)
	return err
}

// meanClaimed returns the mean of a claim: the log of the mean, minus that of the mean of inverses
// for an upper bound, or the mean of logs.
func meanClaimed(claim verdicts.Claim, logZ []float64) float64 {
	switch claim {
	case verdicts.LowerOnAverage, verdicts.UpperOnAverage:
		return floats.Sum(logZ) / float64(len(logZ))
	case verdicts.Upper, verdicts.ReciprocalUnbiased:
		turned := slices.Clone(logZ)
		floats.Scale(-1, turned)
		return -number.LogMean(turned)
	}
	return number.LogMean(logZ)
}

// Claimed is a claim about estimates of Z, by its selector.
type Claimed struct {
	Name   verdicts.Claim // the selector in canonical form
	Says   string         // the claim in words, after "the estimates"
	Errors bool           // whether the claim is about standard errors, which need the column se
	Ends   Ends           // the ends of the range of log Zhat that its test uses
	test   func(ctx context.Context, about about) (*verdicts.Test, error)
}

// Ends says which bounds of log Zhat the test of a claim uses: Estimates.Largest,
// Estimates.Smallest.
type Ends struct{ Largest, Smallest bool }

// about is what the test of a claim may need to know.
type about struct {
	on                *subject.Case
	logZ, logZ1       float64 // what the claim compares with, and log Z_1 if the estimates include it
	largest, smallest float64 // of log Zhat, NaN if they are not known
	workers           int
}

// known returns a number, and another one if it is not known.
func known(v, otherwise float64) float64 {
	if math.IsNaN(v) {
		return otherwise
	}
	return v
}

// claimForm is how a claim is selected.
type claimForm = selector.Form[selector.Nothing, Claimed]

// ClaimForms are the forms of the selectors that ParseClaim reads, in the order in which they are
// listed.
func ClaimForms() selector.Set[selector.Nothing, Claimed] {
	forms := slices.Concat([]func() claimForm{unbiasedForm, reciprocalForm}, boundForms(),
		[]func() claimForm{withinForm, calibratedForm, lawForm})
	return selector.NewSet("claim", forms...)
}

// useless refuses ends of the range of log Zhat that a claim does not use.
func (e *Estimates) useless(claim Claimed) error {
	uses := "it needs neither end of their range"
	switch claim.Ends {
	case Ends{Largest: true}:
		uses = "it uses the largest: give {largest}"
	case Ends{Smallest: true}:
		uses = "it uses the smallest: give {smallest}"
	}
	for _, end := range []struct {
		given float64
		uses  bool
		name  string
	}{{e.Largest, claim.Ends.Largest, "largest"}, {e.Smallest, claim.Ends.Smallest, "smallest"}} {
		if !math.IsNaN(end.given) && !math.IsInf(end.given, 0) && !end.uses {
			return errs.New("the claim %q does not use the %s possible log_z; "+uses, claim.Name, end.name)
		}
	}
	return nil
}

// parseClaim returns the claim of a selector. The error of an unknown one suggests the nearest and
// lists them all.
func parseClaim(text verdicts.Claim) (Claimed, error) {
	return ClaimForms().Parse(string(text), selector.Nothing{})
}

// meanForm is the form of a claim about a mean.
func meanForm(name verdicts.Claim, doc string, others []string, ends Ends,
	test func(ctx context.Context, a about) (*verdicts.Test, error)) claimForm {
	return claimForm{
		Syntax: string(name), Doc: doc, Example: string(name), Others: others,
		Parse: func(selector.Args, selector.Nothing) (Claimed, error) {
			return Claimed{Name: name, Says: "are " + string(name), Ends: ends, test: test}, nil
		},
	}
}

func unbiasedForm() claimForm {
	return meanForm(verdicts.Unbiased, "the mean of Zhat is Z", nil, Ends{Largest: true},
		func(ctx context.Context, a about) (*verdicts.Test, error) {
			largest, err := verdicts.LargestWeight(ctx, a.on.Annealing())
			if err != nil {
				return nil, a.on.Wrong(err)
			}
			if h := a.on.HMM(); h != nil {
				largest = max(largest, h.LargestEstimate())
			}
			return verdicts.NewUnbiased(a.logZ, known(a.largest, largest+a.logZ1))
		})
}

func reciprocalForm() claimForm {
	const doc = "the mean of 1/Zhat is P(f_T > 0)/Z, with the probability under f_1, as of the harmonic mean"
	return meanForm(verdicts.ReciprocalUnbiased, doc, []string{"inverse-unbiased", "harmonic"}, Ends{Smallest: true},
		func(ctx context.Context, a about) (*verdicts.Test, error) {
			smallest, err := verdicts.SmallestWeight(ctx, a.on.Annealing())
			if err != nil {
				return nil, a.on.Wrong(err)
			}
			return verdicts.NewReciprocalUnbiased(a.logZ, known(a.smallest, smallest+a.logZ1))
		})
}

// boundForms are the forms of bounds, on the mean and on the mean of logs.
func boundForms() (forms []func() claimForm) {
	for _, b := range []struct {
		name verdicts.Claim
		doc  string
		ends Ends
		test func(a about) (*verdicts.Test, error)
	}{
		{verdicts.Lower, "the mean of Zhat is at most Z", Ends{},
			func(a about) (*verdicts.Test, error) { return verdicts.NewLower(a.logZ) }},
		{verdicts.Upper, "the mean of 1/Zhat is at most 1/Z", Ends{},
			func(a about) (*verdicts.Test, error) { return verdicts.NewUpper(a.logZ) }},
		{verdicts.LowerOnAverage, "the mean of log Zhat is at most log Z", Ends{Smallest: true},
			func(a about) (*verdicts.Test, error) {
				return verdicts.NewLowerOnAverage(a.logZ, known(a.smallest, math.Inf(-1)))
			}},
		{verdicts.UpperOnAverage, "the mean of log Zhat is at least log Z", Ends{Largest: true},
			func(a about) (*verdicts.Test, error) {
				return verdicts.NewUpperOnAverage(a.logZ, known(a.largest, math.Inf(1)))
			}},
	} {
		forms = append(forms, func() claimForm {
			return meanForm(b.name, b.doc, []string{string(b.name) + "-bound"}, b.ends,
				func(_ context.Context, a about) (*verdicts.Test, error) { return b.test(a) })
		})
	}
	return forms
}

func withinForm() claimForm {
	return claimForm{
		Syntax:  "within:NATS[:PROBABILITY]",
		Example: "within:0.05:0.9",
		Missing: "a distance from log Z in nats",
		Others:  []string{"consistent"},
		Doc:     "log Zhat is within that many nats of log Z, always or with at least that probability",
		Parse: func(args selector.Args, _ selector.Nothing) (Claimed, error) {
			first, rest := args.Cut()
			nats, err := selector.ParseNumber(first)
			if err != nil {
				return Claimed{}, args.Errorf("the distance in nats: %w", err)
			}
			p, err := selector.ParseNumber(cmp.Or(rest, "1"))
			if err != nil {
				return Claimed{}, args.Errorf("the probability: %w", err)
			}
			c := Claimed{
				Name: verdicts.Claim("within:" + tenDigits(nats)),
				Says: fmt.Sprintf("are within %s nats of log Z", tenDigits(nats)),
			}
			if p != 1 {
				c.Name += verdicts.Claim(":" + tenDigits(p))
				c.Says += fmt.Sprintf(" with a probability of at least %s", tenDigits(p))
			}
			c.test = func(_ context.Context, a about) (*verdicts.Test, error) {
				return verdicts.NewWithin(c.Name, a.logZ, nats, p)
			}
			_, err = verdicts.NewWithin(c.Name, 0, nats, p) // numbers that make no sense are refused at once
			return c, err
		},
	}
}

func calibratedForm() claimForm {
	return claimForm{
		Syntax: "calibrated[:SLACK]", Example: "calibrated:0.02",
		Doc: "(log Zhat - log Z) / se is standard normal, with se from the column of standard errors; " +
			"probabilities may be off by at most SLACK",
		Parse: func(args selector.Args, _ selector.Nothing) (Claimed, error) {
			c := Claimed{Name: "calibrated", Says: "have calibrated standard errors", Errors: true}
			slack := 0.0
			if args.Given {
				var err error
				slack, err = args.Number("the slack")
				if err != nil {
					return Claimed{}, err
				}
			}
			if slack != 0 {
				c.Name += verdicts.Claim(":" + tenDigits(slack))
				c.Says += " to within " + tenDigits(slack)
			}
			c.test = func(_ context.Context, a about) (*verdicts.Test, error) {
				return verdicts.NewCalibrated(c.Name, a.logZ, slack)
			}
			_, err := verdicts.NewCalibrated(c.Name, 0, slack)
			return c, err
		},
	}
}

func lawForm() claimForm {
	return claimForm{
		Syntax:  "law:ESTIMATOR",
		Example: "law:ns:100",
		Missing: "an estimator whose selector decides all its settings",
		Doc: "log Zhat has the exact distribution of an estimator of breadboard evidence, such as " +
			"nested sampling with 100 points (of a particle filter only its mean and spread are known, so " +
			"that it is refused); if its values can be listed, any other value is a fault",
		Parse: func(args selector.Args, _ selector.Nothing) (Claimed, error) {
			e, err := evidence.Parse(args.Text)
			if err != nil {
				return Claimed{}, args.Wrap(err)
			}
			c := Claimed{Name: verdicts.Claim("law:" + e.Name), Says: "have the distribution " + e.Name}
			c.test = func(ctx context.Context, a about) (*verdicts.Test, error) {
				law, err := evidence.Expect(ctx, a.on, e.Name, a.logZ1, a.workers)
				if err != nil {
					return nil, fmt.Errorf("claim %q: %w", c.Name, err)
				}
				test, err := verdicts.NewLaw(c.Name, a.logZ, law.Events, law.LogMean)
				if err == nil {
					test.Only(law.Values)
				}
				return test, err
			}
			return c, nil
		},
	}
}
