/** The texts of the page for lost keys, and of what leads to it. */
export const lostTexts = {
  lostYourKey: 'Lost your key?',
  lostSays: 'Enter the address that you bought with. We mail your keys there, with a link to manage each of them.',
  email: 'E-mail address',
  emailError: 'Enter a valid e-mail address, such as ada@example.com.',
  mailMyKeys: 'Mail my keys',
  otherAddress: 'Bought with another address, or not by yourself? {ask}.',
  sentTitle: 'Look into your mail',
  sentSays: 'If something was bought with this address, a mail is on its way. It can take a few minutes.',
  nothingThere: 'Nothing there? Look into the spam folder, and for a mail of {from}.',
  tryEach: 'Try each address that you use. Some shops and app stores keep another one.',
  atMostThree: 'An address gets at most three of these mails in an hour.',
  tryAnother: 'Try another address',
  lostAside: '{lost} We mail it to the address that you bought with.',
  linkEndedSaysMail: 'Links work for a short time only. Get a new one where you got this one, or by mail.',
  newLinkByMail: 'Get a new link by mail',
} as const;
