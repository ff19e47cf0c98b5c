package chains

import (
	"fmt"
	"math"
)

// Schedule says where on the path the T distributions of an annealing sit: b_1 = 0, b_T = 1, never
// decreasing. T counts both ends. A Schedule computes any b_t on its own, so that a run of 10^9
// distributions needs no more memory than a run of ten.
type Schedule interface {
	// Validate says whether the schedule can have T distributions, and if not why.
	Validate(T int) error
	// Beta returns b_t, 1 <= t <= T.
	Beta(t, T int) float64
	// Rest returns 1 - b_t, 1 <= t <= T, to full relative accuracy: one less a rounded b_t near 1 has lost digits.
	Rest(t, T int) float64
	// Step returns b_t - b_{t-1}, 2 <= t <= T, to full relative accuracy: at T = 10^6 the difference of two
	// rounded b_t has lost six digits.
	Step(t, T int) float64
	// String returns the selector of the schedule.
	String() string
}

func validateLength(T int) error {
	if T < 2 {
		return fmt.Errorf("%d distributions; annealing needs at least 2, the initial one and the target", T)
	}
	return nil
}

// Linear is b_t = (t-1)/(T-1).
type Linear struct{}

// Validate accepts any T >= 2.
func (Linear) Validate(T int) error { return validateLength(T) }

// Beta returns (t-1)/(T-1).
func (Linear) Beta(t, T int) float64 { return float64(t-1) / float64(T-1) }

// Rest returns (T-t)/(T-1).
func (Linear) Rest(t, T int) float64 { return float64(T-t) / float64(T-1) }

// Step returns 1/(T-1).
func (Linear) Step(_, T int) float64 { return 1 / float64(T-1) }

// String returns "linear".
func (Linear) String() string { return "linear" }

// Sigmoid puts more distributions near both ends: with s the logistic function and a_t = Delta (2t/T - 1),
// b_t = (s(a_t) - s(a_1)) / (s(a_T) - s(a_1)), t = 1..T. Since a_1 is not -a_T, it is not quite symmetric.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.2, which uses Delta = 4.
type Sigmoid struct{ Delta float64 }

// DefaultDelta is the Delta of Grosse, Ghahramani and Adams 2015.
const DefaultDelta = 4

// maxDelta keeps the hyperbolic functions of Beta and Step far from overflow.
const maxDelta = 500

// Validate accepts any T >= 2 with 0 < Delta <= 500.
func (s Sigmoid) Validate(T int) error {
	if !(s.Delta > 0 && s.Delta <= maxDelta) {
		return fmt.Errorf("sigmoid schedule with delta %v; delta is above 0 and at most %d", s.Delta, maxDelta)
	}
	return validateLength(T)
}

// rise returns 2 (s(a_t) - s(a_r)), through s(a) - s(b) = sinh((a-b)/2) / (2 cosh(a/2) cosh(b/2)).
func (s Sigmoid) rise(t, r, T int) float64 {
	half := func(t int) float64 { return s.Delta * (2*float64(t)/float64(T) - 1) / 2 }
	return math.Sinh(s.Delta*float64(t-r)/float64(T)) / math.Cosh(half(t)) / math.Cosh(half(r))
}

// Beta returns b_t. The quotient may round to more than one, which b_t is not.
func (s Sigmoid) Beta(t, T int) float64 { return min(1, s.rise(t, 1, T)/s.rise(T, 1, T)) }

// Rest returns 1 - b_t.
func (s Sigmoid) Rest(t, T int) float64 { return min(1, s.rise(T, t, T)/s.rise(T, 1, T)) }

// Step returns b_t - b_{t-1}.
func (s Sigmoid) Step(t, T int) float64 { return s.rise(t, t-1, T) / s.rise(T, 1, T) }

// String returns "sigmoid:" and Delta.
func (s Sigmoid) String() string { return fmt.Sprintf("sigmoid:%v", s.Delta) }

// Power is b_t = ((t-1)/(T-1))^P: with P > 1, more distributions near the initial one.
type Power struct{ P float64 }

// Validate accepts any T >= 2 with 0 < P <= 100.
func (s Power) Validate(T int) error {
	if !(s.P > 0 && s.P <= 100) {
		return fmt.Errorf("power schedule with exponent %v; the exponent is above 0 and at most 100", s.P)
	}
	return validateLength(T)
}

// Beta returns ((t-1)/(T-1))^P.
func (s Power) Beta(t, T int) float64 {
	return math.Pow(float64(t-1)/float64(T-1), s.P)
}

// Rest returns 1 - b_t, from the logarithm of (t-1)/(T-1) or of what that lacks of one, whichever keeps its digits.
func (s Power) Rest(t, T int) float64 {
	if 2*(t-1) < T-1 {
		return -math.Expm1(s.P * math.Log(float64(t-1)/float64(T-1)))
	}
	return -math.Expm1(s.P * math.Log1p(-float64(T-t)/float64(T-1)))
}

// Step returns b_t - b_{t-1} as b_{t-1} ((1 + 1/(t-2))^P - 1).
func (s Power) Step(t, T int) float64 {
	if t == 2 {
		return s.Beta(2, T)
	}
	return s.Beta(t-1, T) * math.Expm1(s.P*math.Log1p(1/float64(t-2)))
}

// String returns "power:" and P.
func (s Power) String() string { return fmt.Sprintf("power:%v", s.P) }

// Spaced is geometric spacing from a first point on: b_2 = First and every later b_t greater by the same factor.
//
// Source: Neal 2001, section 5, which joins such a stretch to a linear one near 0.
type Spaced struct{ First float64 }

// DefaultFirst is the first beta above zero of Neal 2001's geometric stretch.
const DefaultFirst = 0.01

// Validate accepts any T >= 2 with 0 < First < 1.
func (s Spaced) Validate(T int) error {
	if !(s.First > 0 && s.First < 1) {
		return fmt.Errorf("geometric spacing from beta %v; the first beta is above 0 and below 1", s.First)
	}
	return validateLength(T)
}

// Beta returns First to the power (T-t)/(T-2) from t = 2 on; with T = 2 there are only the ends.
func (s Spaced) Beta(t, T int) float64 {
	switch t {
	case 1:
		return 0
	case T:
		return 1
	}
	return math.Exp(math.Log(s.First) * float64(T-t) / float64(T-2))
}

// Rest returns 1 - b_t.
func (s Spaced) Rest(t, T int) float64 {
	switch t {
	case 1:
		return 1
	case T:
		return 0
	}
	return -math.Expm1(math.Log(s.First) * float64(T-t) / float64(T-2))
}

// Step returns b_t - b_{t-1}.
func (s Spaced) Step(t, T int) float64 {
	if t == 2 {
		return s.Beta(2, T)
	}
	return -s.Beta(t, T) * math.Expm1(math.Log(s.First)/float64(T-2))
}

// String returns "geometric:" and First.
func (s Spaced) String() string { return fmt.Sprintf("geometric:%v", s.First) }

// Points is a schedule given point by point, and so for one T only.
type Points struct {
	betas []float64
	name  string
}

// NewPoints returns the schedule b_1..b_T. The name is what String returns. The points must start at 0, end
// at 1 and never decrease; the error names the first that does not.
func NewPoints(name string, betas []float64) (*Points, error) {
	if len(betas) < 2 {
		return nil, fmt.Errorf("schedule %s has %d points; it needs at least 2, 0 and 1", name, len(betas))
	}
	if betas[0] != 0 {
		return nil, fmt.Errorf("schedule %s starts with b_1 = %v; the first point must be 0", name, betas[0])
	}
	for i, b := range betas[1:] {
		if !(b >= betas[i]) {
			return nil, fmt.Errorf("schedule %s goes from b_%d = %v to b_%d = %v; the points must not decrease", name, i+1, betas[i], i+2, b)
		}
	}
	if last := len(betas); betas[last-1] != 1 {
		return nil, fmt.Errorf("schedule %s ends with b_%d = %v; the last point must be 1", name, last, betas[last-1])
	}
	return &Points{append([]float64(nil), betas...), name}, nil
}

// Len returns the one T that the schedule can have.
func (s *Points) Len() int { return len(s.betas) }

// Validate accepts only T = Len().
func (s *Points) Validate(T int) error {
	if T != len(s.betas) {
		return fmt.Errorf("schedule %s has %d points but %d distributions were asked for; leave T out or make it %d", s.name, len(s.betas), T, len(s.betas))
	}
	return nil
}

// Beta returns b_t.
func (s *Points) Beta(t, _ int) float64 { return s.betas[t-1] }

// Rest returns 1 - b_t.
func (s *Points) Rest(t, _ int) float64 { return 1 - s.betas[t-1] }

// Step returns b_t - b_{t-1}.
func (s *Points) Step(t, _ int) float64 { return s.betas[t-1] - s.betas[t-2] }

// String returns the name given to NewPoints.
func (s *Points) String() string { return s.name }
