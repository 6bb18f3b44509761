/**
 * Words of everyday business that say the same, a group a line. A word stands in one only: what else it says is left aside. Of verbs
 * that English forms otherwise (sent, told) and of nouns (refusal) each form stands here.
 */
export const english = `
  company business firm enterprise corporation organisation shop startup
  employee staff worker personnel
  director officer executive
  customer client consumer
  contractor vendor supplier outsource outsourcer entrust entrustment
  person people individual
  child children minor kid teenager teen underage
  parent guardian mother father mum mom dad
  agent proxy
  applicant candidate
  law act legislation statute
  rule regulation guideline
  leak leakage breach
  lose lost loss missing
  steal stolen theft
  attack hack hacker intrusion ransomware malware virus cyberattack
  damage harm
  accident incident
  erase erasure delete deletion remove removal wipe
  dispose disposal discard destroy shred
  fine penalty punishment punishable punish sanction jail prison imprisonment consequence
  illegal unlawful
  legal lawful
  improper inappropriate misuse abuse
  provide provision supply share transfer transmit send sent hand pass
  disclose disclosure reveal
  collect acquire acquisition gather obtain
  receive receipt
  buy bought purchase
  sell sold sale
  use usage utilise
  foreign abroad overseas international
  country nation
  consent permission approval approve agree
  allow permit
  forbid forbidden prohibit prohibition ban
  limit restrict restriction
  exempt exemption exception
  apply cover
  purpose goal aim
  reason ground cause
  notify notification notice inform told
  announce publish publication announcement
  ask request demand
  answer reply respond response
  refuse refusal reject decline deny
  complaint complain grievance
  lawsuit sue litigation
  store storage save
  keep kept retain retention preserve hold held
  record log
  list directory roster register
  document paper
  deadline due
  fee charge cost price pay payment paid
  correct correction rectify fix amend
  incorrect wrong mistaken inaccurate false
  change modify modification alter
  confirm confirmation verify check
  inspect inspection audit
  supervise supervision oversee
  monitor surveillance
  deceased dead died die death
  phone telephone
  email mail
  photo picture image photograph selfie portrait
  footage video film
  voice audio
  camera cctv webcam
  security secure safeguard
  protect protection
  mandatory compulsory obligatory required require
  duty obligation obliged responsibility
  promptly immediately quickly
  urgent urgency emergency
  résumé resume cv
  hire recruit recruitment
  job employment
  train training educate education
  press newspaper journalist media reporter broadcaster magazine
  university college academic
  health medical illness ill sick sickness disease hospital doctor diagnosis
  race ethnicity ethnic
  creed religion belief faith religious church
  crime criminal offence offense conviction
  merger merge takeover buyout
  marketing advertising advertisement ad promotion flyer leaflet brochure newsletter catalogue
  small little tiny
  start begin commence
  stop cease end terminate discontinue halt suspend
  cancel cancellation revoke withdraw
  car vehicle automobile
  trip travel
  refund reimbursement reimburse
  salary wage
  holiday vacation
  faulty defective broken
  repair mend
  warranty guarantee
  shipping delivery shipment deliver
  invoice bill
  discount reduction
  meeting appointment
  boss manager employer
  police cop policeman
  lawyer attorney solicitor counsel
  court judge tribunal
  commission regulator watchdog
  telework remote remotely home wfh
  device gadget smartphone tablet
  disk drive
  internet online net
  software app program
  browse browsing visit click
  location whereabouts gps
  password passcode credential
  encrypt encryption cipher
  copy duplicate reproduce
  sensitive special delicate
  violate violation infringe infringement contravene disobey
  obey comply compliance follow observe adhere
  birthday birth birthdate
  face facial
  recognise recognition identify identification
  subsidiary affiliate group
  office premises workplace
  government ministry governmental
  municipality council city town local
  research study scientific
  association club society
  author writer novelist
  certificate proof evidence
  contract agreement
  period term duration
  compensation compensate indemnity
  dismiss dismissal fired
  exchange swap replace replacement
  parcel package
  coupon voucher
`;
