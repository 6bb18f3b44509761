/**
 * Rows said to be needed find a difference such as the one seen in 8 of 10 cases or more: they are worked out for a little
 * more than that, since a test's power goes up and down from row to row and the approximations for numbers promise too much.
 */
export const plannedPower = 0.82;
