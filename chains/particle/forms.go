package particle

import "breadboard/chains/selector"

// Forms are the forms of the selectors that ParseScheme reads, in the order in which they are listed.
func Forms() selector.Set[selector.Nothing, Scheme] {
	return selector.Set[selector.Nothing, Scheme]{What: "resampling scheme", Forms: []func() schemeForm{
		schemeOf(Multinomial{}, "each slot draws its parent by the weights, independently of the others", "Gordon, Salmond and Smith 1993"),
		schemeOf(Stratified{}, "slot i draws its parent from the i-th of P equal parts of the weights", "Kitagawa 1996"),
		schemeOf(Systematic{}, "as stratified, with one uniform number for all slots", "Carpenter, Clifford and Fearnhead 1999"),
		schemeOf(Residual{}, "a particle has the whole part of P times its weight; the slots that are left draw by the remainders", "Liu and Chen 1998"),
	}}
}

// schemeForm is how a scheme is selected.
type schemeForm = selector.Form[selector.Nothing, Scheme]

// ParseScheme returns the resampling scheme of a selector: "multinomial", "stratified", "systematic" or "residual". The error
// of an unknown one suggests the nearest and lists them all.
func ParseScheme(text string) (Scheme, error) { return Forms().Parse(text, selector.Nothing{}) }

// schemeOf returns the form of a scheme without arguments, which is selected by the name that it gives itself.
func schemeOf(s Scheme, doc, source string) func() schemeForm {
	return func() schemeForm {
		return schemeForm{
			Syntax: s.String(), Doc: doc, Source: source, Example: s.String(),
			Parse: func(selector.Args, selector.Nothing) (Scheme, error) { return s, nil },
		}
	}
}
